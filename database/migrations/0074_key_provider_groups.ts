import { BaseSchema } from '@adonisjs/lucid/schema'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 | The lookup of a provider's group took `ſ` for `s` and `ß` for `ss`, as it still does for other
 | groups: a user who made `acme:ſtaff` first passed for `acme:staff`.
 */
export default class extends BaseSchema {
  async up() {
    this.defer((db) => keyAll((name) => name.toLowerCase(), db))
  }

  async down() {
    this.defer((db) => keyAll((name) => name.toUpperCase().toLowerCase(), db))
  }
}

async function keyAll(keyOf: (name: string) => string, db: QueryClientContract) {
  const rows = await db.from('groups').whereLike('name', '%:%').select('id', 'name', 'name_key')
  for (const { id, name, name_key: before } of rows) {
    const key = keyOf(name).normalize('NFC')
    if (key === before) continue
    const isTaken = (await db.from('groups').where('name_key', key).first()) !== null
    /** `ẞ` and `ß` had two keys and now share one. No name contains a line break. */
    const freeKey = isTaken ? `${key}\n${id}` : key
    await db.from('groups').where('id', id).update({ name_key: freeKey })
  }
}
