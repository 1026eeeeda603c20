import { describe, expect, it } from 'vitest';
import {
  readCsvText,
  readLenient,
  readList,
  readObject,
  readStrict,
} from '../../../src/adapters/primary/envelope.ts';

const text = (value: unknown): string => JSON.stringify(value);

describe('a strict reading', () => {
  it.each([
    [{ status: 'success', data: [1] }, [1]],
    [{ success: true, data: [1] }, [1]],
    [{ status: 'success', data: [1], error: null }, [1]],
    [{ status: 'success', data: [1], error_type: '', error_code: '', error: {} }, [1]],
    [[1], [1]],
    [{ net_positions: [1] }, { net_positions: [1] }],
    [
      { net_positions: [1], day_positions: [] },
      { net_positions: [1], day_positions: [] },
    ],
    [{ status: 'success', data: [] }, []],
    [{ success: true, data: { net_positions: [] } }, { net_positions: [] }],
  ])('takes the payload out of %j', (body, data) => {
    expect(readStrict(text(body))).toEqual({ kind: 'data', data });
  });

  it.each([
    { status: 'error', message: 'no' },
    { status: 'failure', error: { msg: 'no' } },
    { status: 'Error', data: [] },
    { message: 'no', success: false },
    { status: 'success', data: [], error: 'no' },
    { status: 'success', data: [], error_type: 'OrderException' },
    { status: 'success', data: [], error_code: 17 },
    { status: 'success', data: null, error: { msg: 'no' } },
    { success: true, data: [], error: ['no'] },
  ])('finds the failure in %j', (body) => {
    expect(readStrict(text(body)).kind).toBe('error_body');
  });

  it('passes on the message of the failure', () => {
    const body = { status: 'failure', error_type: 'OrderException', error: { msg: 'no number' } };
    expect(readStrict(text(body))).toEqual({
      kind: 'error_body',
      code: 'OrderException',
      message: 'no number',
    });
  });

  it.each([
    ['', 'nothing'],
    ['<html>', 'markup'],
    ['{"status":"success","data":[', 'truncated JSON'],
    ['"success"', 'a text'],
    ['null', 'a bare null'],
    ['{}', 'an empty object'],
    ['[]', 'a bare empty list'],
    ['{"message":"no","data":[]}', 'an empty list without a success'],
    ['{"data":{"net_positions":[]}}', 'empty older positions without a success'],
    ['{"net_positions":[],"day_positions":[1]}', 'empty net positions without a success'],
    ['{"status":"success"}', 'a success without data'],
    ['{"data":null}', 'a null without a success'],
    ['{"status":"pending","data":null}', 'a null under another status'],
    ['{"status":"failed","data":[]}', 'an empty list under a status that nobody documents'],
    ['{"status":500,"data":[]}', 'an empty list under a number'],
    ['{"success":"false","data":[]}', 'an empty list under a success that is a text'],
  ])('calls %j a bad payload', (body) => {
    expect(readStrict(body).kind).toBe('bad_payload');
  });
});

describe('a list', () => {
  it.each([
    { status: 'success', data: null },
    { success: true, data: null },
  ])('is empty for %j', (body) => {
    expect(readList(text(body))).toEqual({ kind: 'data', data: [] });
  });

  it.each([
    { status: 'success', data: {} },
    { status: 'success', data: 'none' },
    { status: 'success', data: 0 },
    { status: 'success', data: false },
    { status: 'success' },
    { data: null },
  ])('is not %j', (body) => {
    expect(readList(text(body)).kind).toBe('bad_payload');
  });
});

describe('an object', () => {
  it.each([null, [], 'x'])('is not %j', (data) => {
    expect(readObject(text({ status: 'success', data })).kind).toBe('bad_payload');
  });
});

describe('a lenient reading', () => {
  it('unwraps the data', () => {
    expect(readLenient(text({ success: true, data: { a: 1 } }))).toEqual({
      kind: 'data',
      data: { a: 1 },
    });
  });

  it('reads a body without an envelope as the data', () => {
    expect(readLenient(text({ NSE_1: {} }))).toEqual({ kind: 'data', data: { NSE_1: {} } });
  });

  it('accepts data that comes with a failure', () => {
    expect(readLenient(text({ status: 'error', data: { a: 1 } })).kind).toBe('data');
  });

  it.each([
    [{ status: 'error', message: 'no' }, 'error_body'],
    [{ success: false, data: null }, 'error_body'],
    [{ success: true }, 'bad_payload'],
    [{ status: 'success', data: [] }, 'bad_payload'],
    [{ data: null }, 'bad_payload'],
    [[], 'bad_payload'],
  ])('does not take %j for a map without instruments', (body, kind) => {
    expect(readLenient(text(body)).kind).toBe(kind);
  });

  it('does not read a page as data', () => {
    expect(readLenient('<html>').kind).toBe('bad_payload');
  });
});

describe('CSV text', () => {
  it.each([
    ['', 'bad_payload'],
    ['  \n', 'bad_payload'],
    ['<html></html>', 'bad_payload'],
    ['{"status":"success","data":null}', 'bad_payload'],
    ['{"status":"error","message":"no"}', 'error_body'],
    ['EXCH,SECURITY_ID\n', 'data'],
  ])('%j is %s', (body, kind) => {
    expect(readCsvText(body).kind).toBe(kind);
  });
});
