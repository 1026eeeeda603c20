import { describeDocumentedProofs } from '../../support/documented-proofs.ts';

describeDocumentedProofs('docs/primary-brokerage.md', 'test/adapters/primary', 50);
