import 'reflect-metadata';
import { isAccessRefused, isUnavailable, type Permission, type Verified } from '@gatehouse/client-sdk/verify';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  HttpException,
  Module,
  Req,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request } from 'express';
import { PORT, verifier } from './verifier.js';

type Called = Request & { caller?: Verified };

/** A guard that lets in only callers with the permission in the selected account. */
function needs(permission: Permission): CanActivate {
  const verify = verifier.require(permission);
  return {
    async canActivate(context: ExecutionContext) {
      const request = context.switchToHttp().getRequest<Called>();
      request.caller = await verify(request).catch((error: unknown) => {
        if (isAccessRefused(error)) throw new HttpException({ code: error.code }, error.status);
        throw isUnavailable(error) ? new HttpException({ code: 'unavailable' }, 503) : error;
      });
      return true;
    },
  };
}

@Controller()
class Product {
  @Get('colleagues')
  @UseGuards(needs('member.list'))
  colleagues(@Req() { caller }: Called) {
    return { member: caller?.member.id, account: caller?.account?.id };
  }

  @Get('billing')
  @UseGuards(needs('billing.manage'))
  billing() {
    return { paid: true };
  }
}

@Module({ controllers: [Product] })
class App {}

const app = await NestFactory.create(App, { logger: false });
await app.listen(PORT, '127.0.0.1');
console.log(`http://127.0.0.1:${PORT}`);
