import type { ForeignHash } from '@gatehouse/auth-core';

/** A kind, a password and its hash. */
export type ForeignVector = readonly [ForeignHash['kind'], string, string];

/** Made with passlib, argon2-cffi, Werkzeug and Python's hashlib, and the sample of Firebase's own scrypt. */
export const FOREIGN_VECTORS: readonly ForeignVector[] = [
  [
    'argon2',
    'Lantern-Harbor-42',
    '$argon2i$v=19$m=4096,t=2,p=2$tQof2O6aoLfZ9TiFJPmBaw$GMrVjpuotk5NVOn/GjPRAg',
  ],
  ['argon2', 'Zürich-Médoc-42', '$argon2i$v=19$m=4096,t=2,p=2$37ClUeHbMGUGuzjmZwgcMA$WLlTnK52wa3wej16WFgDBA'],
  [
    'argon2',
    'correct horse battery staple',
    '$argon2i$v=19$m=4096,t=2,p=2$6Lyy0oLgo/0zO8kPlLL51Q$rtK1kCnaAzmiw/bA+0FHig',
  ],
  [
    'argon2',
    '日本語のパスワード',
    '$argon2i$v=19$m=4096,t=2,p=2$sjC+bmd8rBLnrzSsDRyR0Q$bsswH5ghxQ5JFeQ/CFip+A',
  ],
  [
    'argon2',
    'Lantern-Harbor-42',
    '$argon2d$v=19$m=4096,t=2,p=2$snDwaenJB0G61yr/ZSzYVA$4OVmgMTuD4JTND2OlaTSow',
  ],
  ['argon2', 'Zürich-Médoc-42', '$argon2d$v=19$m=4096,t=2,p=2$OYaVELwar/0fwwXHncRKDw$nG8fXTv2/SJjmI0b7a+Q6Q'],
  [
    'argon2',
    'correct horse battery staple',
    '$argon2d$v=19$m=4096,t=2,p=2$T5qpVHli+yYH2YsvyXJWbQ$gPUjwDtgZ/3NKG6g4Wso0Q',
  ],
  [
    'argon2',
    '日本語のパスワード',
    '$argon2d$v=19$m=4096,t=2,p=2$LJfKdtRUIXmLeFDFQpcobg$BG9kLNLJ4/wUwINGlqMBOA',
  ],
  [
    'argon2',
    'Lantern-Harbor-42',
    '$argon2id$v=19$m=4096,t=2,p=2$tIIxkXmeEAxZqv1Ti4RcbQ$DTpPYYks0T9bqd60Qf/TdQ',
  ],
  [
    'argon2',
    'Zürich-Médoc-42',
    '$argon2id$v=19$m=4096,t=2,p=2$pYcNb5XK09c2a7go+HJOXQ$cEFxWR7COvyEV0rxBt/K2A',
  ],
  [
    'argon2',
    'correct horse battery staple',
    '$argon2id$v=19$m=4096,t=2,p=2$yeW56rlInIVA05DPmZLKqg$kMSodgZmjlSnhieL/IQhpQ',
  ],
  [
    'argon2',
    '日本語のパスワード',
    '$argon2id$v=19$m=4096,t=2,p=2$cgd1/BiO6bskOIMHRxra6w$qeQqGjRNqCZ3qTbb9IF7mA',
  ],
  [
    'scrypt',
    'Lantern-Harbor-42',
    '$scrypt$ln=12,r=8,p=1$FoKwNua89977P8e413ovRQ$d4BTIo9H28OL/GwN48e87iY5KtPSA4U/7qMCF90dlFs',
  ],
  [
    'scrypt',
    'Zürich-Médoc-42',
    '$scrypt$ln=12,r=8,p=1$YwxhbA0BwHgvpfSeMyYkhA$oR6s+u75S5e6jvhYuLNJpWjXGWA5KublSpYLtB2q784',
  ],
  [
    'scrypt',
    'correct horse battery staple',
    '$scrypt$ln=12,r=8,p=1$35szhrDWOifE+B+D8D7n/A$y/GLo8peCQe+SDRy4Wc7Fyu+l1LYCd6TqpJ7ejmrTvI',
  ],
  [
    'scrypt',
    '日本語のパスワード',
    '$scrypt$ln=12,r=8,p=1$lfJ+D6FUqvW+V4qxdg5BSA$CXizYeaRhJc2Juz9t12NYauLhc8blBFy3m3/BOZzXC8',
  ],
  ['pbkdf2', 'Lantern-Harbor-42', '$pbkdf2$1200$D0EIQYhxTgmhFAIg5ByDsA$ul0Zr.ttf4Z.q588OLPtTaBY9G0'],
  ['pbkdf2', 'Zürich-Médoc-42', '$pbkdf2$1200$fu.915qTUgrBmHNujdHauw$k6Ken4/aLED6v/zLzQLJC0OKNxs'],
  [
    'pbkdf2',
    'correct horse battery staple',
    '$pbkdf2$1200$.P8/R8g5J2QsBSDkHIOQcg$AbOXRbGNVNZcpCiMvfjwFhGuKoE',
  ],
  ['pbkdf2', '日本語のパスワード', '$pbkdf2$1200$m9P6fy9lbA1hzJlTCgGg9A$wDdJSdSoJGSzSasQFb42ZYevofQ'],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    '$pbkdf2-sha256$1200$S8kZg/Be6x3DuJfSeu/9Xw$VMaUDNxRBJF5.IPMqNdvDqyKibPQFDAH73F4Y3rQzxU',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    '$pbkdf2-sha256$1200$k5KSstb6f./du7fWei8F4A$DUIon99DzAkZDFIok4MaQkF3eO3SziO7ZOGeeMfOwYA',
  ],
  [
    'pbkdf2',
    'correct horse battery staple',
    '$pbkdf2-sha256$1200$y9m7dw7h/D/nXIvxHoPw/g$mVn5NXJ2PkCViEglFw9ojL2WZatdx7pMpBMtoVlJzJs',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    '$pbkdf2-sha256$1200$HKPUmtOa0/pfSwlBKOW8Vw$y8l8RE73oXOmN0IOIGCM50BI4eDkT2nBBQUObFe.8c0',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    '$pbkdf2-sha512$1200$GANgrFXKGUMIQWhtbY1R6g$pLArxxbt8NaIjrXsIamVEQMSPnX28fDh55c6knOyDkcFQXZ1xBJ5DEHBArM4CAI6XGR7KkdeaqItTItw/y1ZvQ',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    '$pbkdf2-sha512$1200$733POWfsnXPOuXcO4VwL4Q$CeDU78mRseOdxaQokbyjYUWKsWvPKlxqA/YmDdvmUzV5b5URmO4RM/.VLT45qRllwljh2ISSAZJZBDezSrAbHA',
  ],
  [
    'pbkdf2',
    'correct horse battery staple',
    '$pbkdf2-sha512$1200$FWJMyfl/j5EyphSiFKIUog$RzpJi.c8xbP3.MxJhWbiOdO9WzLS.9Tq.kRknhit7evs.nLE1Ng4VnZQzKV8vopMDiuwuXfGTJARSwQ1vI5mQA',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    '$pbkdf2-sha512$1200$J6TU2juHEEJIyXnvnTOGEA$SB/9epD6LSY/TOATHpGAyynBY5ifwCi/OwaGmM00yASBr8TOCVoIGbEHqXUH0nuv1z/A.poSUpdjX7efS73HPA',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2_sha256$1200$sSaeEryaxYcl$t0zhLnAigGwkgdmEe4ePC9ZsMGQm0hqnNIudTbSrYyk=',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    'pbkdf2_sha256$1200$T3fZftbQgwVh$Tu2j2iAkXs1XG7aHGhlUuqVmAaZH1pTVwoe0vU29abQ=',
  ],
  [
    'pbkdf2',
    'correct horse battery staple',
    'pbkdf2_sha256$1200$f5W0p3XiyyGD$rcN0I8NSXEOLNEe9gaaDgEODkLRqT3ybCQjT74qPaqc=',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    'pbkdf2_sha256$1200$tEPYAUCvWB8J$BcwKoqUEnxLPePNBstgW5vw7XA1PygbRJgO+9v1dMYM=',
  ],
  ['pbkdf2', 'Lantern-Harbor-42', 'pbkdf2_sha1$1200$KuI01GFUj5k0$k++bjXjW7Pourre+pRaSDUFCHyY='],
  ['pbkdf2', 'Zürich-Médoc-42', 'pbkdf2_sha1$1200$W5Q9Ye148GvN$DlTvuTPdVVDiarPjXY2uxJbFjw0='],
  ['pbkdf2', 'correct horse battery staple', 'pbkdf2_sha1$1200$PTa02XnfW3oH$N3ZBnX9DlTUAxigHQwCwdKLQocQ='],
  ['pbkdf2', '日本語のパスワード', 'pbkdf2_sha1$1200$fIcVKyGNxKG2$DyK7ZWURzueb8DO0KhBcXWWbVmc='],
  ['phpass', 'Lantern-Harbor-42', '$P$9j7xIQxR7y9cGo6Z5OcuEy91x0Ui2X1'],
  ['phpass', 'Zürich-Médoc-42', '$P$9Bw7WlyMFLGOpDLUjVphFpfWWpCmKF/'],
  ['phpass', 'correct horse battery staple', '$P$91bjO54XbkQaJWQg2jlGETEMllGc08.'],
  ['phpass', '日本語のパスワード', '$P$9WgRrP7R3rWAWdXRfxIlepblj1u2ut/'],
  [
    'sha-crypt',
    'Lantern-Harbor-42',
    '$6$C.Z4/3fBKqdyXW2e$zc30jv6n.ftKPo0MMV8/DZY0wwQgsRZ7j9Ur1RmBu2Lli330zARY/WpYkAVPnQa/YpKn2Lb6YtsKtxM/12I0q1',
  ],
  [
    'sha-crypt',
    'Zürich-Médoc-42',
    '$6$fXt1kLrIhs/7aIf1$RFmjjkm4gRxsPHK583FuBPc7c4N0S1dmLo6wnFXHGgQvV91itITUf5Iqbx63/viAUs.we3HLByoWUktj8vgMa1',
  ],
  [
    'sha-crypt',
    'correct horse battery staple',
    '$6$duO.gl5uwHznKDOs$o1F1BIEH9xUX2idGNa8uP2xb5EBeVAfxi/ceGyWRps/ZpxGPsc1h7qEXLm9RSMoz7OAFslnfRUtRlsTUrS2tA.',
  ],
  [
    'sha-crypt',
    '日本語のパスワード',
    '$6$VsIHOZoBNqNqi9B7$EPoinHMQUGvUyLuCXTUROLaL56CGB/gerEwHzlGa.8dnfWwi8x0UQhq8wQVQDg4vNc/UK8hpDeGVCRUrlBYob/',
  ],
  [
    'sha-crypt',
    'Lantern-Harbor-42',
    '$6$rounds=1234$qaBcMtDqnJ3laWTK$8D7BsnpUIxlexluJeM7OgV9.ACHY8BXRt0/LwkEAklgK0hm.zPyWEjqSyLLkN660lyp5OAxswdG58MLwLnpeM1',
  ],
  [
    'sha-crypt',
    'Zürich-Médoc-42',
    '$6$rounds=1234$ny3BOUv/vyVACv6p$lQE6m/iiTsV/HHUiDQlbBL8hK07Yv//kK4ZYy9AcXQYPYkCHz1jNQl607Wcr89eJtGKRboWP0NnkfzLfMqPhw0',
  ],
  [
    'sha-crypt',
    'correct horse battery staple',
    '$6$rounds=1234$wivih0d2VMt7458t$Ya987.LKAGo3UDTajSHP82DgSqPl3nVhQ44J7Lj8ihuOcEjwLXYSHnJmSRF5E35KAHoZ8y2v8.es4STJa7Xgj0',
  ],
  [
    'sha-crypt',
    '日本語のパスワード',
    '$6$rounds=1234$B/K0aWP0XZW/SkgN$qz0KD6fFSFN0nPnC9onBDPS7XXZNgGHv38suBghXeF3HOTPEww9C7AFnaPiblJfsbvUIa8b8prs7o7LG.5MNc1',
  ],
  ['sha-crypt', 'Lantern-Harbor-42', '$5$tkCoMMShboVC/JHv$CqZEMRz4P7gQ9e0bR/v3iP88JZm35b2JGlqWOVSCw9/'],
  ['sha-crypt', 'Zürich-Médoc-42', '$5$DxRnF187DRXdvBgp$Qo2PPfSPuGyNiwR4ZH0U9B2xnmnfGV3reDZd2cr6RT5'],
  [
    'sha-crypt',
    'correct horse battery staple',
    '$5$VScxFKiAbwHE1/ZO$GCn.F4Py8jkEFVwfXONyiJ2fCfZLGiAcwIv7oUraZnD',
  ],
  ['sha-crypt', '日本語のパスワード', '$5$PVUbfDUEZ4Ru9z1Z$PZTfea1MwjgzsmlP9JvUw/hEIoSi./nAK98f9O0xju.'],
  [
    'sha-crypt',
    'Lantern-Harbor-42',
    '$5$rounds=1234$5fzfr.33nnGh.13f$IuR10EqLs.mG0bGcNXJRnIQL3s7Rs/ld5b9W4OFmCx2',
  ],
  [
    'sha-crypt',
    'Zürich-Médoc-42',
    '$5$rounds=1234$ESnD2PW4/isU2CR7$nqHNfYyUceE1I1bBhmsLWFPZ18OMteQXuzvz6FNHp.7',
  ],
  [
    'sha-crypt',
    'correct horse battery staple',
    '$5$rounds=1234$GKmxHTtl7UEiw8ZL$phAVMFoQfXFrpow/cu2Jqz71.m4ciOlDmmLggNrucq4',
  ],
  [
    'sha-crypt',
    '日本語のパスワード',
    '$5$rounds=1234$3jxPm/94Pe06/6/R$74BFfZQDeP2d9OwBObzilF75jLVWMUr0Xn1.rOgFF24',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2:sha256:1200$l6YF3luFVLwEvsop$d1cef3cebf09525cc78734e0e9d5e40e848e1f61c09ec9bcdc60e8a8aa4f7222',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    'pbkdf2:sha256:1200$cLCIwMQotLBjUybd$31ee74175482f10ef201cab7bd88d6904b2fa10cf1ca1aed3d817acc34b15856',
  ],
  [
    'pbkdf2',
    'correct horse battery staple',
    'pbkdf2:sha256:1200$pa5R17uYNvvrtOmN$b1cede04fac0404c039dd6f46716d09302e22941ffb739feef7c1c4e55e8c6eb',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    'pbkdf2:sha256:1200$MJu7OLi1Vfhjfqo5$fefc2d378989a33d999e51bcb969103a944b41e576961f8f8e11843c1dac79ce',
  ],
  ['pbkdf2', 'Lantern-Harbor-42', 'AAABAgMEBQYHCAkKCwwNDg9t1lwjp+UlcTs6aPw/PjNN+GSDZ952cL0cYoyULYdj0A=='],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'AQAAAAAAAAq+AAAAEAABAgMEBQYHCAkKCwwNDg9qhckYGLQ6vtx+NbvMooUGDo6mao0BwqoXpcunX7aemQ==',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'AQAAAAEAAAq+AAAAEAABAgMEBQYHCAkKCwwNDg8EufWDZUx70iSE50SMJlrsvo7XsUw0qRQEEdJoKeBOxA==',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'AQAAAAIAAAq+AAAAEAABAgMEBQYHCAkKCwwNDg9jQDK63z2BnY87BSur3Ab999inqDINfa400gbrbLsfyA==',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2-sha256$2750$256$AAECAwQFBgcICQoLDA0ODw==$BLn1g2VMe9IkhOdEjCZa7L6O17FMNKkUBBHSaCngTsQ=',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2-sha256$2750$512$AAECAwQFBgcICQoLDA0ODw==$BLn1g2VMe9IkhOdEjCZa7L6O17FMNKkUBBHSaCngTsSF1Kb2vXU7CUPHznCFspBWGW6CoBRladhbLL+tJBK7sQ==',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2-sha512$2750$512$AAECAwQFBgcICQoLDA0ODw==$Y0Ayut89gZ2POwUrq9wG/ffYp6gyDX2uNNIG62y7H8hDRul04/X3SSe40rladfL5WyZzMJBvztV0GJimMaC/JQ==',
  ],
  [
    'scrypt',
    'Lantern-Harbor-42',
    'scrypt:32768:8:1$0001020304050607$2e37e9c6c747a070b492b61857128ab92a4043312edd778fb29d9b0cdc4939e553979845991a034b8d0fe27fd887a6faac31b8658af9c2e8f7a7c48fc6d4552e',
  ],
  [
    'scrypt',
    'Lantern-Harbor-42',
    '000102030405060708090a0b0c0d0e0f:5c31dfa287f16e24ce8024ac1f12faca759f5089c829a832ccd7af4ebe68b08c1ee968aa55e5389270716ff631da1424d8735ca6af3974b93b0194e5861e1747',
  ],
  ['pbkdf2', 'Zürich-Médoc-42', 'ABAREhMUFRYXGBkaGxwdHh/AtkptGwOERdJtByaLgLD/0aB4vlVcKHmL4cT2pSNq0g=='],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    'AQAAAAAAAAq+AAAAEBAREhMUFRYXGBkaGxwdHh+o05wHQufzYnlIS1sgbrU5fwbrMJnb06jKlaj10eWWwQ==',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    'AQAAAAEAAAq+AAAAEBAREhMUFRYXGBkaGxwdHh8GWuAsFpk5zUsoGZmLqBvlyUZQmtye4bRV6HuVzKQFTA==',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    'AQAAAAIAAAq+AAAAEBAREhMUFRYXGBkaGxwdHh+ucicqXwZsRUWHvvYCokiShhLs7xeD4JAzoHAUwdCPdA==',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    'pbkdf2-sha256$2750$256$EBESExQVFhcYGRobHB0eHw==$BlrgLBaZOc1LKBmZi6gb5clGUJrcnuG0Veh7lcykBUw=',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    'pbkdf2-sha256$2750$512$EBESExQVFhcYGRobHB0eHw==$BlrgLBaZOc1LKBmZi6gb5clGUJrcnuG0Veh7lcykBUy5o2uqzIWS73P9aJmsLszkSjW+frgR8Vc5qj2VWP38iw==',
  ],
  [
    'pbkdf2',
    'Zürich-Médoc-42',
    'pbkdf2-sha512$2750$512$EBESExQVFhcYGRobHB0eHw==$rnInKl8GbEVFh772AqJIkoYS7O8Xg+CQM6BwFMHQj3Ta7Avla42cAkKvBeMI2U0/7gK7CyIyaviJwTqUYn974Q==',
  ],
  [
    'scrypt',
    'Zürich-Médoc-42',
    'scrypt:32768:8:1$1011121314151617$e41eb81d47993dcbad9835357e2940fc5888c4695d2b0ef6a29453ca8cb9050927faaf7ebf5b36c8ae07edfd8d415babf8471d399e1a4658bb56af87286a4610',
  ],
  [
    'scrypt',
    'Zürich-Médoc-42',
    '101112131415161718191a1b1c1d1e1f:fe00666ec537184fa53eeb15efdd21b8780730ef45ea64d74a96af0367ad7f00087c401b1723a63f55337bb6678b1915c242bcbc40a8a23f645e95e02e087c70',
  ],
  ['pbkdf2', '日本語のパスワード', 'ACAhIiMkJSYnKCkqKywtLi9z2z5F/xVA7TjfBXtTi8QWg2rzoUKCbNG4JRKxC7yrgw=='],
  [
    'pbkdf2',
    '日本語のパスワード',
    'AQAAAAAAAAq+AAAAECAhIiMkJSYnKCkqKywtLi/LW76Ha4afxSH8mvWoldJaWfNMRu4nJl/66cA5YjmRkA==',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    'AQAAAAEAAAq+AAAAECAhIiMkJSYnKCkqKywtLi9kCMWy7TcNL7lKgij4j+utOUFhvscq0imQYC78IL187A==',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    'AQAAAAIAAAq+AAAAECAhIiMkJSYnKCkqKywtLi+9clf0J3f1tCjJiFfO0uWcRKtbGU1BipbQpVVAOMRqnw==',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    'pbkdf2-sha256$2750$256$ICEiIyQlJicoKSorLC0uLw==$ZAjFsu03DS+5SoIo+I/rrTlBYb7HKtIpkGAu/CC9fOw=',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    'pbkdf2-sha256$2750$512$ICEiIyQlJicoKSorLC0uLw==$ZAjFsu03DS+5SoIo+I/rrTlBYb7HKtIpkGAu/CC9fOwvEmwLFopAwXnFm3Q+Y3wySYVKGzfGBcOjGzWsjfYg2Q==',
  ],
  [
    'pbkdf2',
    '日本語のパスワード',
    'pbkdf2-sha512$2750$512$ICEiIyQlJicoKSorLC0uLw==$vXJX9Cd39bQoyYhXztLlnESrWxlNQYqW0KVVQDjEap/1hgs16JqNJezQRfm8GtZVa6Kf3XNwcBnvn5AP5ID3/w==',
  ],
  [
    'scrypt',
    '日本語のパスワード',
    'scrypt:32768:8:1$2021222324252627$66faddcf9b59ea94d879f58a2f9d94003efb6421834174cd64ac86ebe52f45b3c9079953352456700c8b5bc291079872c9fde100071a9133c7b90b6e77962bb4',
  ],
  [
    'scrypt',
    '日本語のパスワード',
    '202122232425262728292a2b2c2d2e2f:6971ebf6862d3e798957332eff21d74f85b53e8b13f204a5a2b290d39b034e4dd236d200a3bc021ca80a6b6f3862d08e793e59c8b547d47d3f6c10ddc1356fea',
  ],
  [
    'scrypt',
    'user1password',
    'firebase$8$14$Bw==$42xEC+ixf3L2lw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  ],
];

/** The same forms at about the least cost that is taken, which lets a test compare thousands. */
export const CHEAP_FOREIGN_VECTORS: readonly ForeignVector[] = [
  [
    'argon2',
    'Lantern-Harbor-42',
    '$argon2i$v=19$m=1024,t=1,p=1$uKq0xYiXmGs3mhMxpj9k5w$b5M/UHHKcICk4YtiINcbOA',
  ],
  [
    'argon2',
    'Lantern-Harbor-42',
    '$argon2d$v=19$m=1024,t=1,p=1$uqutfgyvr+LzvUYE2SBoow$vF/ylrymTPtu5NmrBRB4Og',
  ],
  [
    'argon2',
    'Lantern-Harbor-42',
    '$argon2id$v=19$m=1024,t=1,p=1$8mD1GMF0DJpbB3RSnpf7/Q$X3yezkr/OJFsHjnTdtDHXw',
  ],
  [
    'scrypt',
    'Lantern-Harbor-42',
    '$scrypt$ln=10,r=8,p=1$cC5lrHWOcU7pvVdKac35nw$iJ1Y4jVFXA8wZ5l7kC4hEFsKBGYbHA3boiN7qRIfBzM',
  ],
  ['pbkdf2', 'Lantern-Harbor-42', '$pbkdf2$1000$ba01BkDonRPCGCPk/B8DAA$G2apM2M2UDLKqUkl8TL3kIJiqEg'],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    '$pbkdf2-sha256$1000$QWjt/R/jnPOek1LqHeOcUw$Oy6y7c3u7kJ6NLuB61P/5JYdDrjfR9tG8XdKK9cuopU',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    '$pbkdf2-sha512$1000$xxhjDOFc6z1H6H1vDaGU8g$gaQKJafqi56.1s5aA5m8hqMrZMGcu/356w.qxrYwBQzh5dF0tSD9Hkb94QetZoVtMeFZ4vV/NqLo6k.M3TClpg',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2_sha256$1000$zvkj34eRFawZ$roJRvacoZVS/qjnJPeQzFt31FpKn5quAQd6Ptin2YZU=',
  ],
  ['pbkdf2', 'Lantern-Harbor-42', 'pbkdf2_sha1$1000$XJ4DHzx5mbj9$BwPgZklWTZhnep5M3hPGbx8/zJs='],
  ['phpass', 'Lantern-Harbor-42', '$P$5v.vHjZLKxTQoM1QSSo8nj6sxjDFXL/'],
  [
    'sha-crypt',
    'Lantern-Harbor-42',
    '$6$rounds=1000$Kznco91FTHa.jikS$He1GEpQXySTwm6.dQv.kYovi8LXw510fLOERE61QagtocoWaAt4zyPp9TD9ihmCHCfYJhJyJjUu4FFkjfEAtx.',
  ],
  [
    'sha-crypt',
    'Lantern-Harbor-42',
    '$5$rounds=1000$.yJrhHV2c7MAV9Pr$PotSasAUTWJ61SKhR8soA8kdJlbvUe2f9pXxBhQN183',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2:sha256:1000$l6YF3luFVLwEvsop$352044326005b3479f862ae2801f62288163e38cd12970e8430ab3efe4a1daed',
  ],
  ['pbkdf2', 'Lantern-Harbor-42', 'AAABAgMEBQYHCAkKCwwNDg9t1lwjp+UlcTs6aPw/PjNN+GSDZ952cL0cYoyULYdj0A=='],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'AQAAAAAAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg9t1lwjp+UlcTs6aPw/PjNN+GSDZ952cL0cYoyULYdj0A==',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'AQAAAAEAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg8m3i51qD6PpkYyJ3uMYURK0wGL8L5jXON6aoHPf1pcEg==',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'AQAAAAIAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg/dVrTx2FucmX8RKI3QeKmsyZ7gm96e31OUJNbfmSEm7Q==',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2-sha256$1000$256$AAECAwQFBgcICQoLDA0ODw==$Jt4udag+j6ZGMid7jGFEStMBi/C+Y1zjemqBz39aXBI=',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2-sha256$1000$512$AAECAwQFBgcICQoLDA0ODw==$Jt4udag+j6ZGMid7jGFEStMBi/C+Y1zjemqBz39aXBKrjDTc6xSYda4yHb6hUUkUHN8uZFC4MPMl0r6BCFKlBg==',
  ],
  [
    'pbkdf2',
    'Lantern-Harbor-42',
    'pbkdf2-sha512$1000$512$AAECAwQFBgcICQoLDA0ODw==$3Va08dhbnJl/ESiN0HiprMme4Jvent9TlCTW35khJu318UpqrhbpfEFWHVNHl/ef+1s/KHmWfP0agQbItnDxJA==',
  ],
  [
    'scrypt',
    'Lantern-Harbor-42',
    'scrypt:1024:8:1$0001020304050607$9206fd4016c6681d55a989cb9ab358779daaec929de53cff3ea1a5fa153c274c5d176ea5127e96b42dcb16c4531b04d09cfc0f9a4e1aaa216071f5bd4b3eec78',
  ],
];
