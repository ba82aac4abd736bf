import { Refusal } from '#exceptions/refusal'
import { errorAt, type Entry } from '#configuration/document/entries'
import { InvalidConfiguration } from '#configuration/document/file_error'
import { LISTS } from '#configuration/document/lists'
import type { ManagedKind } from '#configuration/managed_rows'
import type { Transaction } from '#database/transaction'

/** What is done for an entry. */
export interface Step {
  entry: Entry
  kind: ManagedKind
  /** Null for a record that is not made yet. */
  id: string | null
  /** The fields that change; for a new record, all fields that the entry names. */
  fields: string[]
  /** @returns the id of the record */
  run: (trx: Transaction) => Promise<string>
}

export function isChange({ id, fields }: Step) {
  return id === null || fields.length > 0
}

export function nameOf({ list, value }: Entry) {
  return LISTS[list].nameOf(value as never)
}

/** Reports a refused change as an error of the entry. */
export async function runStep(step: Step, trx: Transaction) {
  try {
    return await step.run(trx)
  } catch (error) {
    throw new InvalidConfiguration([refusalError(step.entry, error)])
  }
}

/** @throws an error that the file did not cause */
export function refusalError(entry: Entry, error: unknown) {
  if (!(error instanceof Refusal) || error.status >= 500) throw error
  const [first] = (error.members.errors ?? []) as { field: string; message: string }[]
  const field = first?.field === 'serviceAccountId' ? 'serviceAccount' : (first?.field ?? '')
  return errorAt(entry, field, first?.message ?? error.message)
}
