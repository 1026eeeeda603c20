import { createClient, type Client } from 'altbroker-gateway/client';

export const GATEWAY = process.env.GATEWAY ?? 'http://127.0.0.1:8420';

/** A client of the gateway that GATEWAY names, with the key in GATEWAY_KEY. */
export function connect(): Client {
  const key = process.env.GATEWAY_KEY ?? '';
  if (key === '') {
    throw new Error(
      'GATEWAY_KEY is not set: make a key with `altbroker-gateway keys add NAME --scope trade`',
    );
  }
  return createClient({ baseUrl: GATEWAY, key });
}

/** Resolves after so many milliseconds. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** `--broker=paper` among the arguments; undefined where there is none, so that the route decides. */
export function option(name: string): string | undefined {
  const start = `--${name}=`;
  const given = process.argv.slice(2).find((each) => each.startsWith(start));
  return given?.slice(start.length);
}

/** The arguments that are no options. */
export const words = (): string[] => process.argv.slice(2).filter((each) => !each.startsWith('--'));
