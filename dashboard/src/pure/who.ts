/** Who asked for something, by the id that events and requests have. `none` says who it is where there is no id. */
export function whoWords(by: unknown, none = 'the gateway'): string {
  if (typeof by !== 'string') return none;
  if (by === 'gateway') return 'the gateway';
  return by.startsWith('exit_') ? `the exit ${by}` : `the key ${by}`;
}
