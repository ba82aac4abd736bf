import type { ColumnInfo, SchemaRules } from '@adonisjs/lucid/types/schema_generator'

/** Every bigint of the schema is a point in time, in milliseconds (docs/decisions.md). */
const instantColumn: ColumnInfo = {
  tsType: 'DateTime',
  decorators: [{ name: '@instant' }],
  imports: [
    { source: 'luxon', namedImports: ['DateTime'] },
    { source: '#database/instant', namedImports: ['instant'] },
  ],
}

export default {
  types: { bigint: instantColumn },
  columns: { created_at: instantColumn, updated_at: instantColumn },
} satisfies SchemaRules
