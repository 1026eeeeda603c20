import { GatewayProblem } from '../../domain/problem.ts';

/**
 * What a look-up on disk finds, and null where the disk cannot be read: for ways out alone, which open no risk when
 * they are sent a second time. A row that is there and does not fit its schema still rejects: its key has been used.
 */
export async function ifReadable<Row>(lookUp: Promise<Row | null>): Promise<Row | null> {
  try {
    return await lookUp;
  } catch (error) {
    if (error instanceof GatewayProblem) throw error;
    return null;
  }
}
