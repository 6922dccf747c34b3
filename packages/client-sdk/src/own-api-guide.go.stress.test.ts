import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blockOf, createTestFolder } from '@gatehouse/testkit';
import { it } from 'vitest';
import { type Ask, expectGuideToRefuse } from './test/guide-calls.js';

const run = promisify(execFile);

const MAIN = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	request, _ := http.NewRequest("GET", "http://product.test/", nil)
	var headers map[string]string
	json.Unmarshal([]byte(os.Args[2]), &headers)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	me, status := Caller(os.Args[1], request, os.Args[3])
	if me == nil {
		fmt.Println(status)
		return
	}
	fmt.Println(me.Member.ID)
}
`;

it('the Go code of the guide admits and refuses callers as the service does', {
  timeout: 120_000,
}, async () => {
  await using folder = await createTestFolder();
  await writeFile(join(folder.path, 'go.mod'), 'module guide\n');
  await writeFile(join(folder.path, 'caller.go'), blockOf('docs/your-own-api.md', 'func Caller'));
  await writeFile(join(folder.path, 'main.go'), MAIN);
  const program = join(folder.path, 'guide');
  await run('go', ['build', '-o', program], { cwd: folder.path });
  const ask: Ask = async (url, headers, permission) =>
    (await run(program, [url, JSON.stringify(headers), permission])).stdout.trim();
  await expectGuideToRefuse(ask);
});
