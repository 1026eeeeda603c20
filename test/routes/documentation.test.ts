import { describeDocumentedProofs } from '../support/documented-proofs.ts';

describeDocumentedProofs('docs/security.md', 'test', 1);
