CREATE TABLE `custom_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`role_type` integer NOT NULL,
	`permissions` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `custom_roles_account_id_name_key_unique` ON `custom_roles` (`account_id`,`name_key`);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `closed_by_id` integer;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `closed_with_member_id` integer;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `erases_at_ms` integer;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `erasure_told_at_ms` integer;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `erased_at_ms` integer;
--> statement-breakpoint
CREATE INDEX `accounts_erases_at_ms_index` ON `accounts` (`erases_at_ms`);
--> statement-breakpoint
CREATE INDEX `accounts_closed_with_member_id_index` ON `accounts` (`closed_with_member_id`);
--> statement-breakpoint
ALTER TABLE `memberships` ADD `custom_role_id` integer;
--> statement-breakpoint
CREATE INDEX `memberships_custom_role_id_index` ON `memberships` (`custom_role_id`);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `verified_at_ms` integer;
--> statement-breakpoint
UPDATE `accounts` SET `owner_id` = COALESCE((
	SELECT `memberships`.`member_id` FROM `memberships` JOIN `members` ON `members`.`id` = `memberships`.`member_id`
	WHERE `memberships`.`account_id` = `accounts`.`id` AND `memberships`.`role_type` IN (0, 1)
	AND `memberships`.`is_deleted` = false AND `memberships`.`active` = true
	AND `members`.`is_deleted` = false AND `members`.`role_type` <> 11
	ORDER BY `members`.`is_personnel`, `memberships`.`created_at_ms`, `memberships`.`id` LIMIT 1
), `owner_id`) WHERE `is_deleted` = false AND NOT EXISTS (
	SELECT 1 FROM `memberships` JOIN `members` ON `members`.`id` = `memberships`.`member_id`
	WHERE `memberships`.`member_id` = `accounts`.`owner_id` AND `memberships`.`account_id` = `accounts`.`id` AND `memberships`.`role_type` IN (0, 1)
	AND `memberships`.`is_deleted` = false AND `memberships`.`active` = true
	AND `members`.`is_deleted` = false AND `members`.`role_type` <> 11
);
