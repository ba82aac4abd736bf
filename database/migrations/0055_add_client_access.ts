import { BaseSchema } from '@adonisjs/lucid/schema'

const TABLE = 'oauth_clients'

/** The defaults keep the earlier behaviour: everybody may sign in, and no claim is added. */
const DEFAULTS = { claims: '{}', allowed_groups: '[]' }

export default class extends BaseSchema {
  async up() {
    this.schema.alterTable(TABLE, (table) => {
      for (const [column, json] of Object.entries(DEFAULTS))
        table.text(column).notNullable().defaultTo(json)
      table.string('access', 9).notNullable().defaultTo('everybody')
      table.boolean('require_mfa').notNullable().defaultTo(false)
    })
  }

  async down() {
    this.schema.alterTable(TABLE, (table) => {
      table.dropColumns(...Object.keys(DEFAULTS), 'access', 'require_mfa')
    })
  }
}
