import { defineConfig } from '@adonisjs/core/hash'
import passwords from '#config/passwords'
import { Argon2id } from '#auth/passwords/argon2id'

export default defineConfig({
  default: 'argon2id',
  list: {
    argon2id: () => new Argon2id(passwords.argon2),
  },
})

declare module '@adonisjs/core/types' {
  export interface HashersList {
    argon2id: () => Argon2id
  }
}
