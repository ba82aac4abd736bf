/** knex puts the statement before the message of the database. */
export function withoutStatement(message = '') {
  const statement =
    /^(insert into|select|update|delete from|with|begin|commit|rollback|create|alter|drop|set|savepoint)\b.* - /is
  return message.replace(statement, '')
}
