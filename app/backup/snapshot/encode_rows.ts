import type { KeptTable } from '#backup/tables'
import type { Column, Row } from './snapshot.ts'

/** Sorts the columns by name, so that both databases write the same rows. */
export function keptColumns(columns: Column[], { without }: KeptTable) {
  const kept = columns.filter(({ name }) => !without.includes(name))
  return kept.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** @param isEncrypted if false, no secret is written */
export function encoderOf(columns: Column[], { secret }: KeptTable, isEncrypted: boolean) {
  const encoders = columns.map(({ name, type }) => {
    const isHidden = !isEncrypted && secret.includes(name)
    return { name, encode: isHidden ? () => null : ENCODERS[type] }
  })
  return (row: Row): Row => {
    const encoded: Row = {}
    for (const { name, encode } of encoders)
      encoded[name] = row[name] === null ? null : encode(row[name])
    return encoded
  }
}

/** @param isEncrypted if false, rows that are a secret are left out */
export function isOpenRow({ secretRows }: KeptTable, isEncrypted: boolean) {
  if (isEncrypted || secretRows === null) return () => true
  return (row: Row) => !row[secretRows]
}

const asIs = (value: unknown) => value

const ENCODERS: Record<Column['type'], (value: unknown) => unknown> = {
  boolean: Boolean,
  bytes: (value) => (value as Buffer).toString('base64'),
  text: asIs,
  other: asIs,
}
