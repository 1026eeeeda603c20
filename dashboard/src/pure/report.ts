/** Members that say who somebody is, and nothing of what went wrong. */
const PERSONAL = new Set([
  ...['userId', 'userName', 'email', 'placedBy', 'account', 'accountId', 'clientId', 'pan'],
]);
/** Keys, links, tickets and tokens of the gateway, and whatever else is long and random. */
const SECRET = /\b(?:ab[glp]_|tkt_)[\w-]+|[A-Za-z0-9+/]{32,}/g;

/**
 * The same value for somebody who helps: without what could be a secret, and without who it is about. The gateway puts no secret
 * into an answer; this holds also where a broker's words have one.
 */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(SECRET, '[removed]');
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      PERSONAL.has(name) && member !== null ? '[removed]' : withoutSecrets(member),
    ]),
  );
}
