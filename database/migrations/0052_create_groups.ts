import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * `users.group_ids` repeats the rows of `group_members`, so that the version of a user covers the
 * groups. The names stay here: a rename writes one row. `group_id` has no foreign key, because the
 * members of a deleted group are deleted in batches.
 */
export default class extends BaseSchema {
  async up() {
    const isPostgres = this.db.dialect.name === 'postgres'
    this.#createTables()
    this.schema.alterTable('users', (table) => {
      table.text('group_ids')
    })
    for (const statement of isPostgres ? POSTGRES : SQLITE) this.schema.raw(statement)
  }

  #createTables() {
    this.schema.createTable('groups', (table) => {
      table.uuid('id').primary()
      table.string('name', 128).notNullable()
      /** The name without regard to case. */
      table.text('name_key').notNullable().unique()
      table.string('title', 100)
      table.string('description', 500)
      table.integer('member_count').notNullable().defaultTo(0)
      table.bigInteger('created_at').notNullable()
      table.bigInteger('updated_at').notNullable()
    })
    this.schema.createTable('group_members', (table) => {
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table.uuid('group_id').notNullable()
      /** The provider that reported the membership; null if it was added here. */
      table.string('source', 64)
      table.bigInteger('added_at').notNullable()
      table.primary(['user_id', 'group_id'])
      table.index(['group_id', 'user_id'], 'group_members_group')
    })
    this.schema.createTable('group_deletions', (table) => {
      table.uuid('group_id').primary()
      table.bigInteger('requested_at').notNullable()
    })
  }

  async down() {
    if (this.db.dialect.name === 'postgres') {
      for (const name of ['added', 'removed'])
        this.schema.raw(`DROP TRIGGER group_members_${name} ON group_members`)
      this.schema.raw('DROP FUNCTION count_group_members()')
    }
    for (const table of ['group_deletions', 'group_members', 'groups']) this.schema.dropTable(table)
    /** The schema builder copies the table on SQLite, without its triggers. */
    this.schema.raw('ALTER TABLE users DROP COLUMN group_ids')
  }
}

/** Triggers count the members, so that no writer can forget to do so. */
const POSTGRES = [
  `CREATE FUNCTION count_group_members() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE groups SET member_count = member_count + counted.total * TG_ARGV[0]::int
     FROM (SELECT group_id, count(*) AS total FROM changed GROUP BY group_id) AS counted
     WHERE groups.id = counted.group_id;
     RETURN NULL; END $$`,
  `CREATE TRIGGER group_members_added AFTER INSERT ON group_members
     REFERENCING NEW TABLE AS changed
     FOR EACH STATEMENT EXECUTE FUNCTION count_group_members('1')`,
  `CREATE TRIGGER group_members_removed AFTER DELETE ON group_members
     REFERENCING OLD TABLE AS changed
     FOR EACH STATEMENT EXECUTE FUNCTION count_group_members('-1')`,
]

const SQLITE = [
  `CREATE TRIGGER group_members_added AFTER INSERT ON group_members
   BEGIN UPDATE groups SET member_count = member_count + 1 WHERE id = NEW.group_id; END`,
  `CREATE TRIGGER group_members_removed AFTER DELETE ON group_members
   BEGIN UPDATE groups SET member_count = member_count - 1 WHERE id = OLD.group_id; END`,
]
