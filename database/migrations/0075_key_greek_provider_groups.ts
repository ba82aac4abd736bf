import { BaseSchema } from '@adonisjs/lucid/schema'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** The lookup of a provider's group took `ϴ` for `Θ`, because both have the same small letter. */
export default class extends BaseSchema {
  async up() {
    this.defer((db) => keyAll('ϴ', db))
  }

  async down() {
    this.defer((db) => keyAll('θ', db))
  }
}

/** @param letter replaces `ϴ` in a key */
async function keyAll(letter: string, db: QueryClientContract) {
  const rows = await db.from('groups').whereLike('name', '%ϴ%').select('id', 'name')
  for (const { id, name } of rows.filter((row) => row.name.includes(':'))) {
    const parts: string[] = name.split('ϴ')
    const key = parts
      .map((part) => part.toLowerCase())
      .join(letter)
      .normalize('NFC')
    const isTaken = (await db.from('groups').where('name_key', key).first()) !== null
    await db
      .from('groups')
      .where('id', id)
      .update({ name_key: isTaken ? `${key}\n${id}` : key })
  }
}
