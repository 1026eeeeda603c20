import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES } from '../../src/config/names.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const unit = read('deploy/altbroker-gateway.service');
const dockerfile = read('Dockerfile');

describe('the files for running it unattended', () => {
  it.each([
    ['the unit of systemd', unit],
    ['the Dockerfile', dockerfile],
  ])('name settings that there are: %s', (_what, text) => {
    const named = [...text.matchAll(/\b(APP_\w+)=/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !SETTING_NAMES.some((each) => each === name))).toEqual([]);
  });

  it('start a file that there is, with a runtime that is there', () => {
    expect(unit).toMatch(
      /^ExecStart=\/usr\/bin\/env \S+ \S+\/node_modules\/\.bin\/node --\S+ src\/main\.ts$/m,
    );
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "--\S+", "src\/main\.ts"\]$/m);
    expect(existsSync(new URL('src/main.ts', root))).toBe(true);
  });

  it('set nothing that the file of settings takes back: there an empty line counts, too', () => {
    const named = (text: string) => [...text.matchAll(/^(APP_\w+)=/gm)].map(([, name]) => name);
    const example = named(read('.env.example'));
    const taken = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => named(line!));
    expect(example).toContain('APP_DATA_DIR');
    expect(taken.filter((name) => example.includes(name))).toEqual([]);
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env APP_DATA_DIR=\/var\/lib\/altbroker-gateway /m);
  });

  it('bound the space for new objects as `npm start` and the command do', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    const texts = [unit, dockerfile, scripts.start, read('bin/altbroker-gateway.js')];
    const option = / "?--max-semi-space-size=8"?,?\s/;
    expect(texts.map((text) => option.test(text))).toEqual([true, true, true, true]);
  });

  it('copy into the image only what the ignore file lets through', () => {
    const lets =
      read('.dockerignore')
        .match(/^!.*$/gm)
        ?.map((line) => line.slice(1)) ?? [];
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) =>
      names!.split(' '),
    );
    expect(copied.length).toBeGreaterThan(3);
    expect(
      copied.filter((name) => !lets.includes(name) || !existsSync(new URL(name, root))),
    ).toEqual([]);
  });

  it('run as a user without privileges', () => {
    expect(unit).toMatch(/^User=altbroker$/m);
    expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('RUN '));
  });
});
