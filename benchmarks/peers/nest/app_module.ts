import { Module } from '@nestjs/common'
import { JwtModule } from '@nestjs/jwt'
import { PassportModule } from '@nestjs/passport'
import { TypeOrmModule } from '@nestjs/typeorm'
import { AuthController } from './auth_controller.js'
import { AuthService } from './auth_service.js'
import { Session, User } from './entities.js'
import { JwtStrategy } from './jwt_strategy.js'

@Module({
  imports: [
    PassportModule,
    JwtModule.register({ secret: process.env.ACCESS_SECRET, signOptions: { expiresIn: '15m' } }),
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL,
      entities: [User, Session],
      synchronize: true,
    }),
    TypeOrmModule.forFeature([User, Session]),
  ],
  controllers: [AuthController],
  providers: [AuthService, JwtStrategy],
})
export class AppModule {}
