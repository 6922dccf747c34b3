CREATE TABLE `member_name_parts` (
	`part` varchar(32) NOT NULL,
	`member_id` bigint NOT NULL,
	`position` int NOT NULL,
	CONSTRAINT `member_name_parts_part_member_id_position_pk` PRIMARY KEY(`part`,`member_id`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `members` ADD `searched_name` varchar(640);
--> statement-breakpoint
CREATE INDEX `members_searched_name_is_deleted_index` ON `members` (`searched_name`,`is_deleted`);
