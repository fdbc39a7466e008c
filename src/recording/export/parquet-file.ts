/** The wide table as Parquet, a row group at a time. */
import { renameSync, rmSync } from 'node:fs';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { type Cell, COLUMNS, type ColumnType, type ExportRow } from './columns.ts';

const GROUP_ROWS = 50_000;

type Column = unknown[];

function parquetType(type: ColumnType): 'INT64' | 'DOUBLE' | 'STRING' {
  return type === 'int' ? 'INT64' : type === 'number' ? 'DOUBLE' : 'STRING';
}

function columnData(columns: readonly Column[]) {
  return COLUMNS.map(([name, type], index) => ({
    name,
    data: columns[index] ?? [],
    type: parquetType(type),
    nullable: true,
  }));
}

function stored(cell: Cell | undefined, type: ColumnType): unknown {
  if (cell === null || cell === undefined) return undefined;
  return type === 'int' && typeof cell === 'number' ? BigInt(cell) : cell;
}

export class ParquetFile {
  readonly #path: string;
  readonly #writer: ParquetWriter;
  #columns: Column[] = COLUMNS.map(() => []);
  #rows = 0;

  constructor(path: string) {
    this.#path = path;
    const schema = schemaFromColumnData({ columnData: columnData(this.#columns) });
    this.#writer = new ParquetWriter({ writer: fileWriter(`${path}.partial`), schema, createdBy: 'tidewire' });
  }

  async row(row: ExportRow): Promise<void> {
    for (const [index, [name, type]] of COLUMNS.entries()) this.#columns[index]?.push(stored(row[name], type));
    this.#rows++;
    if (this.#rows === GROUP_ROWS) await this.#group();
  }

  async finish(): Promise<void> {
    if (this.#rows > 0) await this.#group();
    await this.#writer.finish();
    renameSync(`${this.#path}.partial`, this.#path);
  }

  abandon(): void {
    rmSync(`${this.#path}.partial`, { force: true });
  }

  async #group(): Promise<void> {
    await this.#writer.write({ columnData: columnData(this.#columns), rowGroupSize: GROUP_ROWS });
    this.#columns = COLUMNS.map(() => []);
    this.#rows = 0;
  }
}
