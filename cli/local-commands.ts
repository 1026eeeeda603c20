/**
 * Commands that need no gateway that runs, or that make one run: src/main.ts and the demo read their words themselves.
 * They are here for the list of commands.
 */
export const LOCAL_COMMANDS = [
  [
    'demo',
    'rehearses with simulated brokers: no account, no network; demo break hang_after, demo break kill and demo buy ask one that runs',
  ],
  ['start', 'starts the gateway, as without a command; Ctrl+C stops it, work on its way first'],
  [
    'keys',
    'lists and changes keys: keys list, keys add NAME --scope SCOPE, and others (keys --help)',
  ],
  ['backup', 'backup DIR copies the data directory into a new directory in DIR'],
  ['restore', 'restore DIR puts such a copy back; the gateway must not run'],
  ['upgrade', 'upgrade DIR makes a backup in DIR, then brings the data directory to this version'],
  ['mcp', 'connects an assistant, by its standard streams, with the gateway that runs'],
] as const;

export const isLocalCommand = (word: string | undefined): boolean =>
  word === undefined || LOCAL_COMMANDS.some(([name]) => name === word);
