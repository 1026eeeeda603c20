/** Where a browser has the key of its page: it sends no header of ours with a WebSocket. */
export const KEY_COOKIE = 'altbroker_key';

/** The value of one cookie of a Cookie header; null when it is absent. */
export function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return null;
}
