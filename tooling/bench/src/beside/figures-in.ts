/** The figures of a report of `pnpm bench`, by descriptive names: ratios, reads a request, starts and memory. */
export function figuresIn(report: string): Map<string, number> {
  const figures = new Map<string, number>();
  let columns: readonly string[] = [];
  for (const line of report.split('\n')) {
    const reads = /Database reads per guarded request: ([\d.]+\d)/.exec(line);
    if (reads) figures.set('database reads per guarded request', Number(reads[1]));
    if (!line.startsWith('|')) continue;
    const [name = '', ...cells] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    if (name === '' || name === 'Server') columns = cells;
    const ratio = /^([\d.]+) of (.+)$/.exec(cells.at(-1) ?? '');
    if (ratio) figures.set(`${name}, of ${ratio[2]}`, Number(ratio[1]));
    else if (name.startsWith('Gatehouse api-'))
      for (const [at, cell] of cells.entries()) figures.set(`${name}, ${columns[at]}`, Number(cell));
  }
  return figures;
}
