import { describe, expect, it } from 'vitest';
import { csv } from './export-file.js';

const line = (...values: (string | number)[]) => csv([values]).replace(/\r\n$/, '');

/** The cells of a file, as a program with this separator reads them; quotation marks count where a cell begins. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') {
          cell += '"';
          at += 1;
        } else break;
      }
      at += 1;
    }
    for (; at < text.length && text[at] !== separator && !/[\r\n]/.test(text[at] ?? ''); at += 1)
      cell += text[at];
    cells.push(cell);
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return cells;
}

describe('a CSV file', () => {
  it('has a line for each row, and quotation marks where a value could be cut', () => {
    expect(csv([['id', 'name'], [7, 'Ada'], []])).toBe('id,name\r\n7,Ada\r\n\r\n');
    for (const text of ['a,b', 'a;b', 'a\tb', 'a|b', 'a\nb', 'a\rb']) expect(line(text)).toBe(`"${text}"`);
    expect(line('the "Ada"')).toBe('"the ""Ada"""');
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-1', "'-1"],
    ['@sum', "'@sum"],
    ['＝1+1', "'＝1+1"],
    ['\tx', '"\'\tx"'],
    ['\rx', '"\'\rx"'],
    ['\t=1', '"\'\t\'=1"'],
    [' =1', " '=1"],
    ["a;=1+cmd|' /C calc'!A0;", "\"a;'=1+cmd|' /C calc'!A0;\""],
    ['a; -b', '"a; \'-b"'],
    ['a;"=1"', '"a;""\'=1"""'],
    ['a\t@b', '"a\t\'@b"'],
    ['a\n+b', '"a\n\'+b"'],
    ['a|=b', '"a|\'=b"'],
    ['a;;=b', '"a;;\'=b"'],
  ])('puts a quote mark before a formula: %j', (value, expected) => {
    expect(line(value)).toBe(expected);
  });

  it.each(['ada@example.com', 'Anne-Marie', 'O’Brien - Smith', '2 + 2 = 4', "x'=1"])(
    'leaves %s as it is',
    (value) => {
      expect(line(value)).toBe(value);
      expect(line(`Byron, ${value}; Ada`)).toBe(`"Byron, ${value}; Ada"`);
    },
  );

  it('has no cell that begins like a formula, whatever separator a program uses', () => {
    const signs = '=-,;|"\'\t\r\n a'.split('');
    const formulas: object[] = [];
    let values = [''];
    for (let length = 1; length <= 4; length += 1) {
      values = values.flatMap((value) => signs.map((sign) => value + sign));
      for (const value of values) {
        const file = csv([
          [7, value, 'x'],
          [value, value],
        ]);
        for (const separator of [',', ';', '\t', '|'])
          for (const cell of cellsOf(file, separator))
            if (/^[\s"]*[=-]/.test(cell)) formulas.push({ value, separator, cell });
      }
    }
    expect(formulas.slice(0, 9)).toEqual([]);
  });
});
