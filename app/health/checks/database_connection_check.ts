import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { ConnectionCheck } from './connection_check.ts'

export class DatabaseConnectionCheck extends ConnectionCheck {
  name = 'database'
  driver = env.get('DB_CONNECTION')

  protected ping() {
    return db.rawQuery('SELECT 1')
  }
}
