import { Body, Controller, Get, HttpCode, Inject, Post, Req, UseGuards } from '@nestjs/common'
import { AuthGuard } from '@nestjs/passport'
import { AuthService } from './auth_service.js'
import { LoginDto, RefreshDto, RegisterDto } from './dtos.js'

@Controller()
export class AuthController {
  constructor(@Inject(AuthService) private readonly auth: AuthService) {}

  @Get('health')
  health() {
    return { status: 'ok' }
  }

  @Post('auth/register')
  register(@Body() body: RegisterDto) {
    return this.auth.register(body)
  }

  @Post('auth/login')
  @HttpCode(200)
  login(@Body() { email, password }: LoginDto) {
    return this.auth.login(email, password)
  }

  @Post('auth/refresh')
  @HttpCode(200)
  refresh(@Body() { refreshToken }: RefreshDto) {
    return this.auth.refresh(refreshToken)
  }

  @UseGuards(AuthGuard('jwt'))
  @Get('auth/profile')
  profile(@Req() request: any) {
    return this.auth.profile(request.user.userId)
  }
}
