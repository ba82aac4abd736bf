import { BaseSchema } from '@adonisjs/lucid/schema'

/** Pairs of scope and resource: two lists would grant every scope for every resource. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('oauth_consent_scopes', (table) => {
      table.uuid('consent_id').notNullable().references('oauth_consents.id').onDelete('CASCADE')
      /** Empty for scopes that tell the client about the user. */
      table.string('resource', 255).notNullable()
      table.string('scope', 60).notNullable()
      table.primary(['consent_id', 'resource', 'scope'])
    })
    this.schema.raw(this.#copyIdentityScopes())
    for (const column of ['scopes', 'resources']) {
      this.schema.raw(`ALTER TABLE oauth_consents DROP COLUMN ${column}`)
    }
  }

  /** Earlier rows do not name the service of a scope, so users are asked again. */
  #copyIdentityScopes() {
    const isPostgres = this.db.dialect.name === 'postgres'
    const list = isPostgres ? 'json_array_elements_text(scopes::json)' : 'json_each(scopes)'
    return `INSERT INTO oauth_consent_scopes (consent_id, resource, scope)
      SELECT DISTINCT oauth_consents.id, '', scope.value FROM oauth_consents, ${list} AS scope
      WHERE scope.value IN ('openid', 'profile', 'email', 'offline_access')`
  }

  async down() {
    this.schema.alterTable('oauth_consents', (table) => {
      table.text('scopes').notNullable().defaultTo('[]')
      table.text('resources').notNullable().defaultTo('[]')
    })
    this.schema.dropTable('oauth_consent_scopes')
  }
}
