import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'

@Entity('users')
export class User {
  @PrimaryGeneratedColumn('uuid')
  id!: string

  @Column({ type: 'text', unique: true })
  email!: string

  @Column({ type: 'text' })
  username!: string

  @Column({ type: 'text' })
  password!: string

  @Column({ type: 'text', default: 'User' })
  role!: string
}

@Entity('sessions')
export class Session {
  @PrimaryGeneratedColumn('uuid')
  id!: string

  @Column({ type: 'uuid' })
  userId!: string

  @Column({ type: 'text', default: '' })
  refreshHash!: string
}
