import { createHash } from 'node:crypto'
import { Injectable, UnauthorizedException } from '@nestjs/common'
import { JwtService } from '@nestjs/jwt'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import { hashPassword, verifyPassword } from '../argon2.js'
import { RegisterDto } from './dtos.js'
import { Session, User } from './entities.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const refreshSecret = process.env.REFRESH_SECRET!

@Injectable()
export class AuthService {
  constructor(
    private readonly jwt: JwtService,
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(Session) private readonly sessions: Repository<Session>
  ) {}

  async register({ email, username, password }: RegisterDto) {
    const digest = await hashPassword(password)
    const { id } = await this.users.save({ email, username, password: digest })
    return { id, email }
  }

  async login(email: string, password: string) {
    const user = await this.users.findOneBy({ email })
    if (!user || !(await verifyPassword(user.password, password))) throw new UnauthorizedException()
    const { id, username, role } = user
    const session = await this.sessions.save({ userId: id })
    const refreshToken = await this.jwt.signAsync(
      { sub: id, email, role, sessionId: session.id },
      { secret: refreshSecret, expiresIn: '7d' }
    )
    await this.sessions.update(session.id, { refreshHash: sha256(refreshToken) })
    const accessToken = await this.jwt.signAsync({ sub: id, email, role })
    return { accessToken, refreshToken, expiresIn: 900, user: { id, email, username, role } }
  }

  async refresh(refreshToken: string) {
    const claims = await this.jwt
      .verifyAsync(refreshToken, { secret: refreshSecret })
      .catch(() => null)
    if (!claims) throw new UnauthorizedException()
    const session = await this.sessions.findOneBy({ id: claims.sessionId })
    const user = await this.users.findOneBy({ id: claims.sub })
    if (!user || session?.refreshHash !== sha256(refreshToken)) throw new UnauthorizedException()
    const { id, email, role } = user
    const accessToken = await this.jwt.signAsync({ sub: id, email, role })
    return { accessToken, expiresIn: 900, tokenType: 'Bearer' }
  }

  async profile(id: string) {
    const user = await this.users.findOneBy({ id })
    if (!user) throw new UnauthorizedException()
    const { password, ...record } = user
    return record
  }
}
