import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 | A filter by outcome or by the name of an actor read every event, from the newest on, and SQLite
 | blocked. The last columns answer a second filter without reading the events.
 */
const INDEXES = {
  audit_events_action: 'action, id, outcome, actor',
  audit_events_outcome: 'outcome, id, action, actor',
  audit_events_actor: 'actor, id, outcome, action',
}

export default class extends BaseSchema {
  async up() {
    for (const [name, columns] of Object.entries(INDEXES)) {
      this.schema.raw(`CREATE INDEX ${name} ON audit_events (${columns})`)
    }
    this.schema.raw('DROP INDEX audit_events_action_id_index')
  }

  async down() {
    this.schema.raw('CREATE INDEX audit_events_action_id_index ON audit_events (action, id)')
    for (const name of Object.keys(INDEXES)) this.schema.raw(`DROP INDEX ${name}`)
  }
}
