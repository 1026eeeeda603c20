import { describeDocumentedProofs } from '../../support/documented-proofs.ts';

describeDocumentedProofs('docs/adding-a-broker.md', 'test', 12);
