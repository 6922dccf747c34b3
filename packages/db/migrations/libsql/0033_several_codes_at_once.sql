DROP INDEX `one_time_passwords_member_id_unique`;
--> statement-breakpoint
CREATE UNIQUE INDEX `one_time_passwords_member_id_serial_unique` ON `one_time_passwords` (`member_id`,`serial`);
--> statement-breakpoint
DROP INDEX `mailed_codes_bound_key_unique`;
--> statement-breakpoint
ALTER TABLE `mailed_codes` ADD `serial` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `mailed_codes_bound_key_serial_unique` ON `mailed_codes` (`bound_key`,`serial`);
