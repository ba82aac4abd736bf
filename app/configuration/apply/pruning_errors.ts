import { groupKey } from '#groups/group_name'
import { errorAt, type Entry, type SourceFile } from '#configuration/document/entries'
import { findUsesOfAccount, findUsesOfGroup, type ManagedUse } from '#configuration/managed_uses'
import { isOfFiles } from './ownership.ts'
import { entriesOf, type Situation } from './situation.ts'
import type { FileError } from '#configuration/document/file_error'
import type { ManagedKind } from '#configuration/managed_rows'
import type { Transaction } from '#database/transaction'

/* What another entry needs cannot be removed. A check removes nothing, but reports the same. */

export function removalError(kind: ManagedKind, name: string, message: string): FileError {
  const field = `${kind.replace('_', ' ')} ${name}`
  return { file: '--prune', line: 0, column: 0, field, message }
}

const NEEDED = 'This entry needs what --prune would remove: add it to its list, or take it out here'

type FindUses = (id: string, trx: Transaction) => Promise<ManagedUse[]>

const USES: Partial<Record<ManagedKind, FindUses>> = {
  group: findUsesOfGroup,
  service_account: findUsesOfAccount,
}

interface Removal {
  kind: ManagedKind
  id: string
  name: string
}

export async function pruningErrors(
  { kind, id, name }: Removal,
  files: SourceFile[],
  situation: Situation
): Promise<FileError[]> {
  const own = namedBy(kind, name, situation).map(([entry, field]) => errorAt(entry, field, NEEDED))
  const uses = (await USES[kind]?.(id, situation.trx)) ?? []
  const other = uses.find((use) => !isOfFiles(use, files))
  if (!other) return own
  return [...own, removalError(kind, name, `The file ${other.file} needs it: change it there`)]
}

/** Returns the entries of these files, with the field that names the record. */
function namedBy(kind: ManagedKind, name: string, situation: Situation): [Entry, string][] {
  const clients = entriesOf(situation, 'clients')
  if (kind === 'service_account')
    return clients
      .filter(({ value }) => value.serviceAccount === name)
      .map((entry) => [entry, 'serviceAccount'])
  if (kind !== 'group') return []
  const has = (names: string[] = []) => names.some((each) => groupKey(each) === groupKey(name))
  const accounts = entriesOf(situation, 'serviceAccounts')
  return [
    ...clients
      .filter(({ value }) => has(value.allowedGroups))
      .map((entry): [Entry, string] => [entry, 'allowedGroups']),
    ...accounts
      .filter(({ value }) => has(value.groups))
      .map((entry): [Entry, string] => [entry, 'groups']),
  ]
}
