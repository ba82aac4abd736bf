/** knex puts the statement before the message of the database. */
export function withoutStatement(message = '') {
  const statement = /^(insert into|select|update|delete from|with|begin|commit|rollback)\b.* - /is
  return message.replace(statement, '')
}
