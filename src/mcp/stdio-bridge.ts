import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { StandardStreams } from '../platform/standard-streams.ts';
import { createForward, type ForwardParts } from './forward.ts';

export interface StdioBridgeParts extends Omit<ForwardParts, 'messageOf'> {
  readonly streams: StandardStreams;
}

/**
 * Connects an assistant that starts a program and talks to it by its standard streams with the gateway that
 * runs: each message of the one goes to the other. Nothing but messages is written to the output. Resolves
 * once the assistant has closed the input, and what is under way is answered. A gateway that is away, or
 * starts again, ends no bridge: each call says what is known of it.
 */
export async function runStdioBridge({ streams, ...parts }: StdioBridgeParts): Promise<void> {
  const [{ StdioServerTransport }, { JSONRPCMessageSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const forward = createForward({
    ...parts,
    messageOf: (value) => JSONRPCMessageSchema.safeParse(value).data ?? null,
  });
  const { input, output, tell } = streams;
  const stdio = new StdioServerTransport(input, output);
  const underWay = new Set<Promise<void>>();
  const ended = Promise.withResolvers<void>();

  async function pass(message: JSONRPCMessage): Promise<void> {
    const answer = await forward(message);
    if (answer !== null && output.writable) await stdio.send(answer);
  }
  stdio.onmessage = (message) => {
    const passing = pass(message);
    underWay.add(passing);
    void passing.finally(() => underWay.delete(passing));
  };
  stdio.onerror = () =>
    tell('a line of the assistant is no message of the protocol: it is ignored');
  stdio.onclose = () => ended.resolve();
  input.once('end', () => ended.resolve());
  input.once('close', () => ended.resolve());
  // The assistant is gone: there is nobody to answer.
  output.once('error', () => ended.resolve());
  await stdio.start();
  await ended.promise;
  await Promise.all(underWay);
  await stdio.close();
}
