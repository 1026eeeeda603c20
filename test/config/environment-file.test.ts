import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkEnvironmentFile } from '../../src/config/environment-file.ts';
import { CANARY } from './support/load.ts';

function refusal(text: string): string {
  try {
    checkEnvironmentFile('.env', text);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the file was taken');
}

describe('a .env file', () => {
  it.each([
    ['a name and a value', 'A=1', '1'],
    ['spaces around the equals sign', 'A = 1 ', '1'],
    ['export', 'export A=1', '1'],
    ['a comment behind the value', 'A=1 # one', '1'],
    ['an empty value and a comment', 'A= # none', ''],
    ['an equals sign in the value', 'A=a=b', 'a=b'],
    ['a # in quotes', 'A="a#b"', 'a#b'],
    ['a comment behind the quotes', "A='x' # one", 'x'],
    ['several lines in quotes', 'A="x\n=y"', 'x\n=y'],
    ['lines as Windows ends them', '# one\r\nA=1\r\n', '1'],
  ])('may have %s, and is then read as it was checked', (_, text, value) => {
    expect(() => checkEnvironmentFile('.env', text)).not.toThrow();
    expect(parseEnv(text)['A']).toBe(value);
  });

  it.each([
    ['a colon instead of an equals sign', `A: ${CANARY}`, 'NAME=value'],
    ['a name alone', CANARY, 'NAME=value'],
    ['a name with a dash', `A-B=${CANARY}`, 'NAME=value'],
    ['a # that cuts the value', `A=${CANARY}#x`, 'a value of A with a # in it'],
    ['a # at the beginning of the value', `A=#${CANARY}`, 'a value of A with a # in it'],
    ['a quote without an end', `A="${CANARY}`, 'a quote for A that does not end'],
    ['text behind the closing quote', `A="x"${CANARY}`, 'behind the closing quote of A'],
    ['one name twice', `B=1\nA=1\nB=${CANARY}`, 'B, which line 1 has too'],
    ['text in another encoding', `A=1\0${CANARY}`, 'not UTF-8'],
  ])('with %s is refused, and its values are not shown', (_, text, words) => {
    const message = refusal(text);
    expect(message).toContain(words);
    expect(message).not.toContain(CANARY);
    expect(message).not.toContain('\n');
  });

  it('is refused with every such line, by its number', () => {
    const message = refusal('A: 1\nB=2\nC\nD="1\n2" x\n');
    const numbers = [...message.matchAll(/^ {2}\.env, line (\d)/gm)].map(([, number]) => number);
    expect(numbers).toEqual(['1', '3', '4']);
  });
});
