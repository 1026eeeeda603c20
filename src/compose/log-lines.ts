import { istDay, istIso } from '../domain/ist.ts';
import { printable, shownValue } from '../platform/printable.ts';
import { epochMs } from '../units/branded.ts';

/**
 * The log for a person in a terminal: `22:10:02 IST  warn  message  broker=alt` in place of a line of JSON
 * (docs/operations.md, "The log"). It is made from the line that would have been written, so it can hold nothing that the
 * JSON does not.
 */

export interface LogText {
  /** The stream of all lines, as pino takes it. */
  write(line: string): void;
}

const NAMES: Readonly<Record<number, string>> = {
  20: 'debug',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const COLOURS: Readonly<Record<string, number>> = { debug: 90, warn: 33, error: 31, fatal: 31 };
/** What `line` shows in places of their own. */
const SHOWN = new Set(['level', 'time', 'msg']);

/** `write` gets whole lines, with their line break. A line with the day comes before the first one of each day. */
export function createLogText(
  write: (text: string) => void,
  { colours }: { readonly colours: boolean },
): LogText {
  let day = '';
  return {
    write(line) {
      const entry = parse(line);
      if (entry === null) return write(`${printable(line.trimEnd())}\n`);
      const today = istDay(entry.at);
      if (today !== day) write(`-- ${today} --\n`);
      day = today;
      write(`${textOf(entry, colours)}\n`);
    },
  };
}

interface Entry {
  readonly at: ReturnType<typeof epochMs>;
  readonly level: string;
  readonly message: string;
  readonly fields: readonly (readonly [name: string, value: unknown])[];
}

function parse(line: string): Entry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const named = new Map<string, unknown>(Object.entries(value));
  const at = Date.parse(String(named.get('time')));
  if (Number.isNaN(at)) return null;
  return {
    at: epochMs(at),
    level: NAMES[Number(named.get('level'))] ?? '',
    message: String(named.get('msg') ?? ''),
    fields: [...named].filter(([name]) => !SHOWN.has(name)),
  };
}

function textOf({ at, level, message, fields }: Entry, colours: boolean): string {
  const time = `${istIso(at).slice(11, 19)} IST`;
  const shown = fields.map(([name, value]) => `${name}=${shownValue(value)}`);
  const text = [
    ...(level === '' ? [] : [level.padEnd(5)]),
    [message, ...shown].map(printable).join('  '),
  ].join('  ');
  const colour = COLOURS[level];
  return colours && colour !== undefined
    ? `${time}  \u001b[${colour}m${text}\u001b[0m`
    : `${time}  ${text}`;
}
