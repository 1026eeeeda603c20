import { readFileSync } from 'node:fs';

/** A reply, or a part of one. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface Leaf {
  /** `net[].product`; of a list, the first element that has the leaf stands for all. */
  readonly path: string;
  readonly value: Json;
  /** The whole with this leaf changed. */
  readonly changed: Json;
}

const isRecord = (json: Json): json is { readonly [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** Every leaf of a reply, each with the reply in which it alone is another value. */
export function leavesOf(
  json: Json,
  another: (path: string, value: Json) => Json = () => null,
  path = '',
): readonly Leaf[] {
  if (isRecord(json) && Object.keys(json).length > 0) {
    return Object.entries(json).flatMap(([key, part]) =>
      leavesOf(part, another, path === '' ? key : `${path}.${key}`).map((leaf) => ({
        ...leaf,
        changed: { ...json, [key]: leaf.changed },
      })),
    );
  }
  if (Array.isArray(json) && json.length > 0) {
    const list: readonly Json[] = json;
    // A list of plain values, such as a candle, has a meaning at each place.
    const isTuple = list.every((part) => !isRecord(part) && !Array.isArray(part));
    const leaves = list.flatMap((part, place) =>
      leavesOf(part, another, `${path}[${isTuple ? place : ''}]`).map((leaf) => ({
        ...leaf,
        changed: list.map((each, index) => (index === place ? leaf.changed : each)),
      })),
    );
    const paths = new Set<string>();
    return leaves.filter((leaf) => paths.size < paths.add(leaf.path).size);
  }
  return [{ path, value: json, changed: another(path, json) ?? otherValue(json) }];
}

/** Another value of the same kind. */
function otherValue(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 'X';
  const time = /^(\d{4}-\d{2}-\d{2}.)(\d{2})(:\d{2}.*)$/.exec(value);
  if (time) return `${time[1]}${time[2] === '11' ? '10' : '11'}${time[3]}`;
  return /\d$/.test(value)
    ? `${value.slice(0, -1)}${(Number(value.at(-1)) + 1) % 10}`
    : `${value}X`;
}

/**
 * The fields that a page of docs says no route answers: the first column of the table below its heading
 * "Fields that no route answers". `*` at the end stands for all fields of a reply.
 */
export function unansweredFields(page: string): readonly string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split('## Fields that no route answers');
  const [own = ''] = section.split('\n## ');
  return own.split('\n').flatMap((line) => {
    const [, cell = ''] = line.split('|');
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}

/** The name of a field of a reply: `holdings[].isin`. */
export const fieldName = (reply: string, path: string): string =>
  `${reply}${path.startsWith('[') || path === '' ? '' : '.'}${path}`;

export const isListed = (name: string, listed: readonly string[]): boolean =>
  listed.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name));
