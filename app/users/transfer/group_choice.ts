import limits from '#config/limits'
import { canonicalGroupName, groupKey, isProviderName } from '#groups/group_name'
import type { RefusedRow } from './import.ts'
import type { ImportedGroup } from './imported_groups.ts'

interface ChoiceOptions {
  from: string
  onGroup?: (row: RefusedRow) => void
}

type Row = Pick<RefusedRow, 'line' | 'email'>

/** Chooses the groups that an import gives to users. Reports each reason only at its first row. */
export class GroupChoice {
  readonly #options: ChoiceOptions
  readonly #origins = new Map<string, string>()
  readonly #made = new Set<string>()
  readonly #told = new Set<string>()

  constructor(options: ChoiceOptions) {
    this.#options = options
  }

  /** Returns the names of the groups that the user gets, in NFC. */
  namesFor(row: Row, groups: ImportedGroup[]): string[] {
    const names = new Map<string, string>()
    for (const { name: given, origin } of groups) {
      const name = canonicalGroupName(given)
      const reason = this.#hindrance(name)
      if (reason) this.tell(row, `leaves out ${origin}: ${reason}`)
      else names.set(groupKey(name!), this.#nameOf(row, { name: name!, origin }))
    }
    const most = [...names.values()].slice(0, limits.groupsOfUser)
    const leftOut = names.size - most.length
    if (leftOut > 0) this.tell(row, `leaves out ${leftOut} groups: an account can be in so many`)
    return most
  }

  #hindrance(name: string | null) {
    if (name === null) return 'no group can have this name'
    const isOwn = this.#options.from === 'gatehouse'
    return isProviderName(name) && !isOwn ? 'names with a colon belong to providers' : null
  }

  /** Two groups of the file may have names that differ only in case. */
  #nameOf(row: Row, { name, origin }: ImportedGroup) {
    const key = groupKey(name)
    const first = this.#origins.get(key)
    if (first === undefined) this.#origins.set(key, origin)
    else if (first !== origin) this.tell(row, `joins one group for ${first} and ${origin}`)
    return name
  }

  noteMade(names: string[]) {
    for (const name of names) this.#made.add(groupKey(name))
  }

  /** A group of the same name may mean something else here. */
  noteKnown(row: Row, name: string) {
    const isOwn = this.#options.from === 'gatehouse' || this.#made.has(groupKey(name))
    if (!isOwn) this.tell(row, `joins the group ${name}, which was here before`)
  }

  tell({ line, email }: Row, reason: string) {
    if (this.#told.has(reason)) return
    this.#told.add(reason)
    this.#options.onGroup?.({ line, email, field: 'groups', reason })
  }
}
