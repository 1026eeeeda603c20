import { describeDocumentedProofs } from '../../support/documented-proofs.ts';

describeDocumentedProofs('docs/alt-broker.md', 'test/adapters/alt', 80);
