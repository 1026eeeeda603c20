import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Which addresses are of the public internet. A request to an address that somebody typed in must not
 * reach programs of this computer or of its network (docs/security.md, "Webhooks").
 */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ...([['0.0.0.0', 8] as const, ['10.0.0.0', 8] as const, ['100.64.0.0', 10] as const] as const),
  ...([['127.0.0.0', 8] as const, ['169.254.0.0', 16] as const] as const),
  ...([['172.16.0.0', 12] as const, ['192.0.0.0', 24] as const] as const),
  ...([['192.168.0.0', 16] as const, ['198.18.0.0', 15] as const] as const),
  ...([['224.0.0.0', 4] as const, ['240.0.0.0', 4] as const] as const),
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ...([['::', 128] as const, ['::1', 128] as const, ['64:ff9b::', 96] as const] as const),
  ...([['2002::', 16] as const, ['2001::', 32] as const] as const),
  ...([['fc00::', 7] as const, ['fe80::', 10] as const, ['ff00::', 8] as const] as const),
  ...([['fec0::', 10] as const, ['64:ff9b:1::', 48] as const] as const),
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6');
}
const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

/** Whether an IP address is public; false for whatever is none. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const [, dotted, high, low] = MAPPED.exec(plain) ?? [];
  if (dotted !== undefined) return isPublicAddress(dotted);
  if (high !== undefined && low !== undefined) {
    const [one, other] = [parseInt(high, 16), parseInt(low, 16)];
    return isPublicAddress([one >> 8, one & 255, other >> 8, other & 255].join('.'));
  }
  const family = isIP(plain);
  if (family === 0) return false;
  return !NOT_PUBLIC.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a host may be public, as far as its text alone tells: names are resolved when they are used. */
export function mayBePublic(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(plain) === 0 ? !/^localhost\.?$/i.test(plain) : isPublicAddress(plain);
}

/** The code of the error where a name leads to an address that is not public. */
export const PRIVATE_ADDRESS = 'EPRIVATEADDRESS';

export function privateAddress(host: string): Error {
  return Object.assign(new Error(`${host} leads to an address that is not public`), {
    code: PRIVATE_ADDRESS,
  });
}

/** Asks for all addresses of a name. */
export type LookupAll = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** Resolves names, and refuses one of which any address is not public: no connection is opened then. */
export const publicLookup =
  (lookup: LookupAll): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      if (found.length === 0 || !found.every(({ address }) => isPublicAddress(address))) {
        return callback(privateAddress(host), []);
      }
      const [first] = found;
      if (options.all === true || first === undefined) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };

export const lookupPublic: LookupFunction = publicLookup(systemLookup);
