import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import { beforeCreate } from '@adonisjs/lucid/orm'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { IdentitySchema } from '#database/schema'

/** `issuer` and `subject` never change (OpenID Connect Core, section 2); an e-mail address can. */
export default class Identity extends IdentitySchema {
  static selfAssignPrimaryKey = true

  static findBySubject(
    { issuer, subject }: { issuer: string; subject: string },
    trx: TransactionClientContract
  ): Promise<Identity | null> {
    return this.findBy({ issuer, subject }, { client: trx })
  }

  static ofUser(userId: string, client?: TransactionClientContract) {
    return this.query({ client }).where('user_id', userId).orderBy('id')
  }

  @beforeCreate()
  static stamp(identity: Identity) {
    identity.id ??= uuidv7()
    identity.createdAt ??= DateTime.utc()
    identity.lastUsedAt ??= identity.createdAt
  }
}
