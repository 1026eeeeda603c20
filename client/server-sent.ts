/** One server-sent event: its data, and the id where it has one. */
export interface ServerSent {
  readonly id: string | null;
  readonly data: string;
}

/** Takes the text of a stream as it comes, in pieces of any size, and gives the events that are whole by then. */
export function createParser(): (piece: string) => readonly ServerSent[] {
  let rest = '';
  return (piece) => {
    rest += piece.replaceAll('\r', '');
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const lines = block.split('\n').map(fieldOf);
      const data = lines.filter(([name]) => name === 'data').map(([, value]) => value);
      const id = lines.find(([name]) => name === 'id')?.[1] ?? null;
      return data.length === 0 ? [] : [{ id, data: data.join('\n') }];
    });
  };
}

function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
}
