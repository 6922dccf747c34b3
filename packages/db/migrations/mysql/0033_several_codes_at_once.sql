ALTER TABLE `one_time_passwords` DROP INDEX `one_time_passwords_member_id_unique`;
--> statement-breakpoint
ALTER TABLE `mailed_codes` DROP INDEX `mailed_codes_bound_key_unique`;
--> statement-breakpoint
ALTER TABLE `mailed_codes` ADD `serial` int DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `one_time_passwords` ADD CONSTRAINT `one_time_passwords_member_id_serial_unique` UNIQUE(`member_id`,`serial`);
--> statement-breakpoint
ALTER TABLE `mailed_codes` ADD CONSTRAINT `mailed_codes_bound_key_serial_unique` UNIQUE(`bound_key`,`serial`);
