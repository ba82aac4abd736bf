import { BaseSchema } from '@adonisjs/lucid/schema'

/** The dashboard asks whether a test was sent, and each pruning for what was sent long ago. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`CREATE INDEX mails_tests ON mails (id) WHERE kind = 'test'`)
    this.schema.raw('CREATE INDEX mails_sent_at ON mails (sent_at)')
  }

  async down() {
    this.schema.raw('DROP INDEX mails_sent_at')
    this.schema.raw('DROP INDEX mails_tests')
  }
}
