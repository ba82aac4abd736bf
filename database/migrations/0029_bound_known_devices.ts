import { BaseSchema } from '@adonisjs/lucid/schema'

const LIFE_MS = 180 * 24 * 3_600_000
const MOST_DEVICES = 50

/** Most rows lack the time of the last use, so the life of a device without an end starts today. */
export default class extends BaseSchema {
  async up() {
    const now = Date.now()
    this.schema.raw(
      `UPDATE known_devices SET last_sign_in_at = COALESCE(last_sign_in_at, first_seen_at),
         expires_at = COALESCE(expires_at, ${now + LIFE_MS})`
    )
    this.schema.raw(
      `DELETE FROM known_devices WHERE (user_id, fingerprint) IN (
         SELECT user_id, fingerprint FROM (
           SELECT user_id, fingerprint, ROW_NUMBER() OVER (
             PARTITION BY user_id ORDER BY last_sign_in_at DESC, fingerprint) AS position
           FROM known_devices) AS ranked
         WHERE position > ${MOST_DEVICES})`
    )
    this.schema.raw('CREATE INDEX known_devices_expires_at ON known_devices (expires_at)')
  }

  async down() {
    this.schema.raw('DROP INDEX known_devices_expires_at')
  }
}
