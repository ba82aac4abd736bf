import type { ColumnInfo, SchemaRules } from '@adonisjs/lucid/types/schema_generator'

/** A bigint is a point in time in milliseconds (docs/decisions.md). */
const timestampColumn: ColumnInfo = {
  tsType: 'DateTime',
  decorators: [{ name: '@timestamp' }],
  imports: [
    { source: 'luxon', namedImports: ['DateTime'] },
    { source: '#database/timestamp_column', namedImports: ['timestamp'] },
  ],
}

export default {
  types: { bigint: timestampColumn },
  columns: { created_at: timestampColumn, updated_at: timestampColumn },
} satisfies SchemaRules
