import { BlockList, isIP } from 'node:net';

/** A list of IP addresses and networks (`52.89.214.238`, `10.0.0.0/8`). */
export interface AddressList {
  has(address: string): boolean;
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Null where one of the texts is neither an address nor a network. */
export function addressList(texts: readonly string[]): AddressList | null {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits, ...more] = text.split('/');
    const family = isIP(address);
    if (family === 0 || more.length > 0) return null;
    const type = family === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, type);
    else if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return null;
    else list.addSubnet(address, Number(bits), type);
  }
  return {
    has(address) {
      const plain = MAPPED.exec(address)?.[1] ?? address;
      const family = isIP(plain);
      return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}
