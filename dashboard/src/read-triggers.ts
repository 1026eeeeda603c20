import { type Client, ProblemError, type Schemas } from '../../client/index.ts';
import { mayFire } from './pure/under-way.ts';

type Reader = Pick<Client, 'items'>;

/** By sign-in: the accounts that take no triggers. The gateway logs an error whenever one of them is asked. */
const withoutTriggers = new WeakMap<Reader, Set<string>>();

/**
 * Those that may still place an order; null where the account takes no triggers. Such an account is asked once for each `connection`: a
 * gateway that was away may come back as another version.
 */
export async function readTriggers(
  client: Reader,
  broker: string,
  connection: number,
): Promise<readonly Schemas['ListedTrigger'][] | null> {
  const known = withoutTriggers.get(client) ?? new Set();
  withoutTriggers.set(client, known);
  const name = `${broker} ${connection}`;
  if (known.has(name)) return null;
  try {
    const all = [];
    for await (const each of client.items('getTriggers', { broker })) all.push(each);
    return all.filter(mayFire);
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'not_supported')) throw error;
    known.add(name);
    return null;
  }
}
