import { BaseSchema } from '@adonisjs/lucid/schema'

/** The dashboard looks for a sent test, and each pruning for mails that were sent long ago. */
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
